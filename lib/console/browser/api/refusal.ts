import type { Schema } from './schemas.ts'

/** Why a request was refused: a problem's code, or that the server was not reached. */
export type RefusalCode = Schema<'Problem'>['code'] | 'offline'

/** A problem document as far as the page reads it. */
export type ProblemBody = Partial<Omit<Schema<'Problem'>, 'code' | 'status'>> & {
  code: RefusalCode
  /** 0 where no answer came. */
  status: number
  /** The holder of a claim and its end, of `already_claimed`. */
  by?: string
  until?: string
  /** The roles that suffice, of `forbidden`. */
  needs?: readonly string[]
}

/** A request that was not carried out. */
export class Refusal extends Error {
  readonly problem: ProblemBody

  constructor(problem: ProblemBody) {
    super(problem.detail ?? problem.code)
    this.problem = problem
  }
}

/** Returns an error as a refusal. */
export const asRefusal = (thrown: unknown): Refusal =>
  thrown instanceof Refusal ? thrown : new Refusal({ code: 'internal', status: 0, detail: `${thrown}` })
