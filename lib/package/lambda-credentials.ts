/** The credentials that the SDK takes. Its own type is in a package on which we do not depend directly. */
type Credentials = { accessKeyId: string; secretAccessKey: string; sessionToken?: string }

/**
 * Stands in for the SDK's chain of credential providers in a function's bundle. Lambda always puts the
 * credentials of the function's role into its environment; looking elsewhere costs every cold start 11 ms.
 */
export const defaultProvider = () => async (): Promise<Credentials> => fromEnvironment(process.env)

function fromEnvironment(environment: NodeJS.ProcessEnv): Credentials {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = environment
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
    throw new Error('AWS_ACCESS_KEY_ID or AWS_SECRET_ACCESS_KEY is missing')
  }
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
  }
}
