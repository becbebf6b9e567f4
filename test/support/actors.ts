import type { Spec } from '#lib/http/spec'

/** Whoever may call, by `spec.access`: what is asked beside (a step-up, a role) is no part of it. */
const ACTORS = [
  'user',
  'agent',
  'user with a verified e-mail',
  'administrator',
  'user or administrator',
  'user with a verified e-mail or administrator',
  'anyone',
  'anyone without session check',
] as const
export type Actor = (typeof ACTORS)[number]

/** Returns who may call an endpoint. Throws for a caller that the tests do not know. */
export function actorOf({ access: { name }, route }: Spec): Actor | 'public' {
  if (name === 'public') return 'public'
  const actor = ACTORS.findLast(
    (each) => name === each || name.startsWith(`${each},`) || name.startsWith(`${each} for `),
  )
  if (!actor) throw new Error(`${route} is open to ${name}`)
  return actor
}
