import type { FaultReport } from '../troubles/faults.ts'

/** A program that has started and runs until it is stopped. */
export interface Running {
  url: string
  /** Says so. */
  ready(): void
  stop(): Promise<void>
}

/** Receives the reporter of uncaught errors; called before monitoring starts, and again by each server. */
export type Outlive = (report: FaultReport) => void
