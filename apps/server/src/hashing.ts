import type { Derive } from './auth/password.ts'
import type { KdfCost } from './transfer/envelope.ts'

/** What is dear on purpose. */
export interface Hashing {
  password: Derive
  /** the key of an export */
  exportCost: KdfCost
}
