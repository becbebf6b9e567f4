/** What a person who meets a problem needs to know, in Markdown of one line each; its title says what it means. */
export type Explanation = {
  /** When the service answers it. */
  when: string
  remedy: string
}
