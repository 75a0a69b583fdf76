import type { Derive } from './auth/password.ts'

/** Cost of deriving a key with argon2; memory in KiB. */
export interface KdfCost {
  memory: number
  passes: number
  parallelism: number
}

/** Costs of the deliberately slow hashes. */
export interface Hashing {
  password: Derive
  /** cost of an export's key */
  exportCost: KdfCost
}
