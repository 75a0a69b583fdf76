import { isNewer } from '@pulse/domain'
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import { promisify } from 'node:util'
import { call } from '../deliver/http-call.ts'
import { fields, text } from '../engine/read.ts'
import type { Log } from '../log.ts'
import type { Target } from '../settings/targets.ts'
import { introduction } from '../version.ts'
import { throwIfBusy } from '../deliver/backoff.ts'
import { fetchProgram } from './fetch-program.ts'
import { clearLeftovers, freshOf } from './leftovers.ts'
import { signedAgent } from './signed-agent.ts'

export interface SelfUpdate {
  target: Target
  /** version of the running program */
  version: string
  /** file of the program, which the update replaces */
  program: string
  /** for example `linux-amd64` */
  platform: string
  /** the publisher's keys (PEM, one or more) */
  keys: string
  log: Log
  /** replaces this process by the program; throws on failure */
  become: (program: string) => void
}

/** The previous version, kept until the new one has delivered its first report. */
export const previousOf = (program: string) => `${program}.previous`

/**
 * Replaces this agent by the server's version if that is newer. Rejects and changes nothing when a step
 * fails.
 */
export async function updateSelf(parts: SelfUpdate): Promise<void> {
  const { target, version, program, platform, keys, log, become } = parts
  clearLeftovers(program)
  const announced = await announcedVersion(target)
  if (announced === undefined || !isUpgrade(announced, version)) return
  const signed = await signedAgent(target, platform, keys)
  // the announcement is only a hint; the signed list decides
  if (!signed || !isUpgrade(signed.version, version))
    throw new Error(`${target.url} announces version ${announced}, but has none published for ${platform}`)
  const offered = signed.version
  log.info(`${target.url} has version ${offered} of this agent, which is ${version}: downloading it`)
  const fresh = freshOf(program, process.pid)
  try {
    await fetchProgram(target, platform, signed, fresh)
    await tryOut(fresh, offered)
    replace(program, fresh)
  } finally {
    fs.rmSync(fresh, { force: true })
  }
  log.info(`this agent continues as version ${offered}`)
  try {
    become(program)
  } catch (error) {
    fs.renameSync(previousOf(program), program)
    throw error
  }
}

/**
 * A version with build metadata (`+…`) is a private build, not a release. It neither replaces an agent nor is
 * it replaced.
 */
const isUpgrade = (offered: string, own: string): boolean =>
  !`${offered}${own}`.includes('+') && isNewer(offered.trim(), own)

async function announcedVersion(target: Target): Promise<string | undefined> {
  const answer = await call(target, { method: 'GET', path: '/api/agent/version', timeoutMs: 15_000 })
  throwIfBusy(target, answer.status, answer.headers)
  if (answer.status !== 200)
    throw new Error(`${target.url} answered ${answer.status} when asked for its version`)
  return text(fields(JSON.parse(answer.body)).version)
}

/** Even a verified program may not run on this host. It gets no environment, and so no token. */
async function tryOut(file: string, version: string): Promise<void> {
  const { stdout } = await promisify(execFile)(file, ['--version'], { env: {}, timeout: 60_000 })
  const [own, offered] = [stdout.trim(), introduction(version.replace(/^v/, ''))]
  if (own !== offered)
    throw new Error(`the downloaded agent identifies itself as "${own.slice(0, 100)}", not "${offered}"`)
}

/** The program exists at every moment; a start meanwhile runs one of the two versions. */
function replace(program: string, fresh: string): void {
  fs.rmSync(previousOf(program), { force: true })
  fs.linkSync(program, previousOf(program))
  fs.renameSync(fresh, program)
}
