import { signal } from '@preact/signals'

/** A secret that was just given out: shown once, and gone with the page. */
export const givenSecret = signal<string | undefined>(undefined)
