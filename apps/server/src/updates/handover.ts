import type { UpdateStatus } from '@pulse/contract'
import * as z from 'zod/mini'

/** Below the data folder: what server and switch hand to each other, by decisions 42 and 44. */
export const handoverFolder = 'update'
export const stagedFolder = `${handoverFolder}/staged`
export const requestFile = `${handoverFolder}/request.json`
export const progressFile = `${handoverFolder}/progress.json`
export const historyFile = `${handoverFolder}/history.jsonl`

export const staged = { archive: 'release.tar.gz', manifest: 'manifest.json', signature: 'manifest.json.sig' }

export const UpdateRequest = z.object({
  id: z.string().check(z.regex(/^[\w-]{1,64}$/)),
  /** written by the process that runs as root, as a log of lines */
  version: z.string().check(z.regex(/^[\w.-]{1,64}$/)),
})
export type UpdateRequest = z.infer<typeof UpdateRequest>

/** Not all that there are: without the contract's schemas the switch is a tenth of the size. */
const switchSteps = [
  'verifying',
  'extracting',
  'backing-up',
  'applying',
  'restarting',
  'completed',
  'error',
] as const satisfies readonly UpdateStatus['status'][]

/** How far the switch is; with an outcome it has ended. */
export const SwitchProgress = z.object({
  id: z.string(),
  status: z.enum(switchSteps),
  progress: z.number(),
  message: z.string(),
  /** RFC 3339 */
  updatedAt: z.string(),
  outcome: z.optional(z.enum(['success', 'failed', 'rolled_back'])),
  fault: z.optional(z.object({ code: z.string(), message: z.string() })),
  /** folder with the data from before */
  backup: z.optional(z.string()),
})
export type SwitchProgress = z.infer<typeof SwitchProgress>
