import type { ConsoleRole } from '#lib/config'

/** What the server says to the page: who it is at the OpenID provider, and the provider's endpoints while it answers. */
type Settings = {
  readonly clientId: string
  readonly redirectUri: string
  readonly groups: {
    readonly claim: string
    readonly all: string
    readonly roles: Readonly<Partial<Record<ConsoleRole, string>>>
  }
  readonly authorize?: string
  readonly token?: string
  readonly revoke?: string
  readonly endSession?: string
}

/** The settings that `GET /console` put into the page. */
export const settings: Settings = JSON.parse(
  document.querySelector('meta[name="settings"]')?.getAttribute('content') ?? '{}',
)
