import { dependency } from '#lib/config/config'
import type { ApiDescription } from '#lib/http/document/openapi'

/** Completes the document, which the build makes, with the bounds that an operator configures. */
export const configuredDocument = dependency(
  ['PASSWORD_MIN_LENGTH'],
  ({ PASSWORD_MIN_LENGTH: minLength }) =>
    ({ components, ...document }: ApiDescription): ApiDescription => {
      const { schemas } = components
      const NewPassword = Object.assign({}, schemas['NewPassword'], { minLength })
      return { ...document, components: { ...components, schemas: { ...schemas, NewPassword } } }
    },
)
