export interface Limits {
  /** of a question about the engine as a whole */
  engineMs: number
  /** of all that is asked about one container */
  containerMs: number
  /** after this what is left of a cycle is not asked any more, and reported as the list has it */
  cycleMs: number
  /** containers that are asked about at the same time */
  lanes: number
}

/** An engine takes about a second for the figures of a container, however many are asked for beside it. */
export const limits: Limits = { engineMs: 15_000, containerMs: 5_000, cycleMs: 60_000, lanes: 100 }
