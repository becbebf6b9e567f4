/** Which changes of the table a function follows: the kinds of items that were inserted, modified or removed. */
export type FollowedChanges = {
  readonly inserted: readonly string[]
  readonly modified: readonly string[]
  readonly removed: readonly string[]
}

/** Where the changes go that a function follows, by its name: the address of its queue. */
export type ChangeRoutes = Readonly<Record<string, FollowedChanges & { queue: string }>>

/** The kind of item whose change is read from its old image; any other change is read from the new one. */
const REMOVE = 'REMOVE'
const FOLLOWED_AS = { INSERT: 'inserted', MODIFY: 'modified', [REMOVE]: 'removed' } as const

/** A change's name in the table's stream. */
export type ChangeName = keyof typeof FOLLOWED_AS

/** The queues of those who follow changes of this name to items of this kind. */
export const queuesFor = (routes: ChangeRoutes, name: ChangeName, kind: string): string[] =>
  Object.values(routes).flatMap((route) => (route[FOLLOWED_AS[name]].includes(kind) ? [route.queue] : []))

/** The image that says what kind of item changed. */
export const imageOf = (name: ChangeName): 'OldImage' | 'NewImage' =>
  name === REMOVE ? 'OldImage' : 'NewImage'

/** Filters of the table's stream that let through only changes with a follower. */
export function streamFilters(followers: readonly FollowedChanges[]) {
  const names = Object.keys(FOLLOWED_AS) as ChangeName[]
  return names.flatMap((name) => {
    const followed = [...new Set(followers.flatMap((each) => each[FOLLOWED_AS[name]]))].sort()
    if (followed.length === 0) return []
    return [{ eventName: [name], dynamodb: { [imageOf(name)]: { kind: { S: followed } } } }]
  })
}
