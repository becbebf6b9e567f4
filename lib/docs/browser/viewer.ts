import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js'
import { readable } from './readable.ts'

type Json = Record<string, unknown>

let api: Promise<Json> | undefined
const shown = new Map<string, HTMLElement>()

/** Shows an operation in this place: its input and answers, and a form that tries it with the token. */
export async function showOperation(
  place: HTMLElement,
  operationId: string,
  token: () => string,
): Promise<void> {
  const node = shown.get(operationId) ?? open(await readDocument(), operationId, token)
  shown.set(operationId, node)
  place.replaceChildren(node)
}

/** Reads the document once; after a failure the next call reads it again. */
async function readDocument(): Promise<Json> {
  api ??= fetch('/openapi.json').then((answer) => {
    if (!answer.ok) throw new Error(`The document was answered with ${answer.status}`)
    return answer.json()
  })
  try {
    return await api
  } catch (error) {
    api = undefined
    throw error
  }
}

function open(openApi: Json, operationId: string, token: () => string): HTMLElement {
  const domNode = document.createElement('div')
  SwaggerUI({
    spec: readable(openApi, operationId),
    domNode,
    layout: 'OperationLayout',
    plugins: [operationLayout],
    docExpansion: 'full',
    // Swagger UI writes its colours as inline styles for a dark background.
    syntaxHighlight: { activated: false },
    defaultModelRendering: 'example',
    defaultModelExpandDepth: 3,
    requestInterceptor: (request: { url: string; headers: Record<string, string> }) => {
      if (token() !== '' && new URL(request.url, location.href).origin === location.origin)
        request.headers['Authorization'] = `Bearer ${token()}`
      return request
    },
  })
  return domNode
}

type System = {
  React: { createElement: (type: unknown, props?: unknown, ...children: unknown[]) => unknown }
  getComponent: (name: string, isContainer?: boolean) => unknown
}

/** Keeps only those parts of Swagger UI that show one operation: the page itself lists and introduces operations. */
const operationLayout = ({ React, getComponent }: System) => ({
  components: {
    OperationLayout: () => React.createElement(getComponent('operations', true)),
    OperationTag: ({ children }: { children: unknown }) => React.createElement('div', { children }),
    OperationSummary: () => null,
    // Swagger UI looks for this component where an operation takes a list of files, and warns if it is missing.
    JsonSchema_string_binary: (props: Json) => React.createElement(getComponent('JsonSchema_string'), props),
  },
  wrapComponents: {
    TextArea: (TextArea: unknown) => (props: Json) =>
      React.createElement(TextArea, { 'aria-label': 'Request body', ...props }),
    JsonSchemaForm: (Field: unknown) => (props: Json) =>
      React.createElement(
        'label',
        null,
        React.createElement('span', { className: 'unseen' }, String(props['description'] ?? '')),
        React.createElement(Field, props),
      ),
  },
})
