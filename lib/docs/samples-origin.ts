/** The origin that examples call. The page's script replaces it by the origin that served the page. */
export const SAMPLE_ORIGIN = 'http://localhost:3000'
