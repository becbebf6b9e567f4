import type { ConsoleRole } from '#lib/variables'
import { words } from '../words/words.ts'

/**
 * The server's settings for the page. The endpoints of the OpenID provider are left out while the provider does not
 * answer the server.
 */
type Settings = {
  readonly clientId: string
  readonly product: { readonly name?: string; readonly colour: string; readonly stage: string }
  readonly redirectUri: string
  readonly groups: {
    readonly claim: string
    readonly all: string
    readonly roles: Readonly<Partial<Record<ConsoleRole, string>>>
  }
  readonly stepUpSeconds: number
  readonly authorize?: string
  readonly token?: string
  readonly revoke?: string
  readonly endSession?: string
}

/** The settings that `GET /console` put into the page. */
export const settings: Settings = JSON.parse(
  document.querySelector('meta[name="settings"]')?.getAttribute('content') ?? '{}',
)

/** The name of the product. */
export const productName: string = settings.product.name ?? words.console

/** Whether this is the stage that customers use. */
export const isLive: boolean = /^(live|prod)/.test(settings.product.stage)
