/** A payer's name as card forms ask for it: all words but the last, and the last. One word alone is the first name. */
export function namesOf(name: string | null): { first?: string; last?: string } {
  const [first, ...more] = (name ?? '').split(/\s+/).filter(Boolean)
  const last = more.pop()
  return {
    ...(first !== undefined && { first: [first, ...more].join(' ') }),
    ...(last !== undefined && { last }),
  }
}
