/** The version of the API's document, sent with every answer as `API-Version`. The same as package.json's. */
export const API_VERSION = '0.4.0'
