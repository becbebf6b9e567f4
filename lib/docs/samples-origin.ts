/** Where examples call; the page's script puts the address in its place that the page was served from. */
export const SAMPLE_ORIGIN = 'http://localhost:3000'
