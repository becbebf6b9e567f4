/** Reads a parameter of SSM, whose client is loaded here: a function with inline settings never pays for it. */
export const readParameter = async (name: string): Promise<string> =>
  (await import('./secrets.ssm.ts')).readParameter(name)

/** Reads a secret's text. The client is loaded here: a function with inline settings never pays for it. */
export const readSecret = async (name: string): Promise<string> =>
  (await import('./secrets.secrets-manager.ts')).readSecret(name)
