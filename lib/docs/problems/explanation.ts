/** The explanation of a problem for a person who meets it, in Markdown of one line each; its title is its meaning. */
export type Explanation = {
  /** The cases in which the service answers it. */
  when: string
  remedy: string
}
