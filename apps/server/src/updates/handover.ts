import type { UpdateStatus } from '@pulse/contract'
import * as z from 'zod/mini'

/** Files below the data folder through which server and switch communicate, by decisions 42 and 44. */
export const handoverFolder = 'update'
export const stagedFolder = `${handoverFolder}/staged`
export const requestFile = `${handoverFolder}/request.json`
export const progressFile = `${handoverFolder}/progress.json`
export const historyFile = `${handoverFolder}/history.jsonl`

export const staged = { archive: 'release.tar.gz', manifest: 'manifest.json', signature: 'manifest.json.sig' }

export const UpdateRequest = z.object({
  id: z.string().check(z.regex(/^[\w-]{1,64}$/)),
  /** limited, because the process that runs as root logs it as a line */
  version: z.string().check(z.regex(/^[\w.-]{1,64}$/)),
})
export type UpdateRequest = z.infer<typeof UpdateRequest>

/** A subset: without the contract's schemas the switch is a tenth of the size. */
const switchSteps = [
  'verifying',
  'extracting',
  'backing-up',
  'applying',
  'restarting',
  'completed',
  'error',
] as const satisfies readonly UpdateStatus['status'][]

/** Progress of the switch; with an outcome the switch has ended. */
export const SwitchProgress = z.object({
  id: z.string(),
  status: z.enum(switchSteps),
  progress: z.number(),
  message: z.string(),
  /** RFC 3339 */
  updatedAt: z.string(),
  outcome: z.optional(z.enum(['success', 'failed', 'rolled_back'])),
  fault: z.optional(z.object({ code: z.string(), message: z.string() })),
  /** folder with the previous data */
  backup: z.optional(z.string()),
})
export type SwitchProgress = z.infer<typeof SwitchProgress>
