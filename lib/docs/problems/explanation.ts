/** The explanation of a problem, each field one line of Markdown. The problem's title says what it means. */
export type Explanation = {
  /** The cases in which the service answers with this problem. */
  when: string
  remedy: string
}
