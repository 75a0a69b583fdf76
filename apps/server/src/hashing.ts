import type { Derive } from './auth/password.ts'

/** Cost of deriving a key with argon2; memory in KiB. */
export interface KdfCost {
  memory: number
  passes: number
  parallelism: number
}

/** Costs of the hashes that are slow on purpose. */
export interface Hashing {
  password: Derive
  /** the key of an export */
  exportCost: KdfCost
}
