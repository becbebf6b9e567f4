import { type Credentials, credentials } from '#lib/config/config'

/** Takes the place of the SDK's chain of credential providers in a bundle: Lambda's environment holds the credentials. */
export const defaultProvider = () => async (): Promise<Credentials> => credentials()
