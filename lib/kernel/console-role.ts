/** The roles that an administrator can have one by one. */
export const CONSOLE_ROLES = [
  'identities',
  'moderation',
  'payments',
  'support',
  'integrations',
  'auditor',
] as const
export type ConsoleRole = (typeof CONSOLE_ROLES)[number]
