import type { ConsoleRole } from '#lib/kernel/console-role'
import { words } from '../words/words.ts'

/**
 * The server's settings for the page. The endpoints of the OpenID provider are left out while the provider does not
 * answer the server.
 */
type Settings = {
  readonly clientId: string
  readonly product: { readonly name?: string; readonly colour: string; readonly stage: string }
  readonly redirectUri: string
  /** The claim of a token that names its groups, the group with every role, and the group of each role. */
  readonly groups: {
    readonly claim: string
    readonly all: string
    readonly roles: Readonly<Partial<Record<ConsoleRole, string>>>
  }
  /** The age from which a sign-in is too old for actions that need a recent one; 0 accepts every sign-in. */
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
