import { backoffMs as pauseAfter, hostBackoff } from '../timing/backoff.ts'

export const backoffMs = (failures: number, random?: () => number): number =>
  pauseAfter(hostBackoff, failures, random)
