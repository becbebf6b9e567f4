// Swagger UI's bundle carries no types. Only what the page uses is declared.

declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  const SwaggerUI: (options: Record<string, unknown>) => unknown

  export = SwaggerUI
}
