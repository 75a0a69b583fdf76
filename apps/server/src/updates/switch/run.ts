import fs from 'node:fs'
import path from 'node:path'
import type { SwitchProgress, UpdateRequest } from '../handover.ts'
import { UpdateError } from '../update-error.ts'
import { type Owner, ownerWorks } from './as-owner.ts'
import { fetchStaged } from './fetch.ts'
import { endJournal, type Job, readJournal, writeJournal } from './journal.ts'
import type { Service } from './service.ts'
import { currentSlot, fillSlot, freshFolder, otherSlot, releaseIn, slotFolder, turnTo } from './slots.ts'

export interface SwitchFolders {
  /** contains the slots; only root can write there */
  root: string
  data: string
}

export interface SwitchEdges {
  service: Service
  now: () => number
  /** pause between two checks of a new version, which may crash soon after its start */
  settle: () => Promise<void>
  log: (line: string) => void
}

type Telling = Pick<SwitchProgress, 'status' | 'progress' | 'message'> & Partial<SwitchProgress>

/** Ends an interrupted job, or runs the requested one. Decision 44 explains the order. */
export async function switchRelease({ root, data }: SwitchFolders, edges: SwitchEdges): Promise<void> {
  const { service, now, settle, log } = edges
  const owner: Owner = ownerWorks(data)
  const incoming = path.join(root, 'incoming')
  const unfinished = readJournal(root)
  if (unfinished) await takeUp(unfinished)
  // a request that arrived meanwhile
  const request = await owner.take()
  if (request) await begin(request)

  function note(job: Job, phase: Job['phase']): void {
    job.phase = phase
    writeJournal(root, job)
  }

  /** A full disk must not keep the switch from finishing. */
  async function tell(job: Pick<Job, 'id'>, progress: Telling): Promise<void> {
    log(`${progress.message} (${progress.status})`)
    await owner
      .tell({ id: job.id, updatedAt: new Date(now()).toISOString(), ...progress })
      .catch((error: unknown) => log(`The progress cannot be written: ${String(error)}`))
  }

  async function begin(request: UpdateRequest): Promise<void> {
    const from = currentSlot(root)
    const was = releaseIn(slotFolder(root, from)).version
    const stamp = new Date(now()).toISOString().replaceAll(/[:.]/g, '-')
    const job: Job = {
      id: request.id,
      phase: 'checking',
      from,
      to: otherSlot(from),
      was,
      version: request.version,
      stamp,
    }
    try {
      note(job, 'checking')
      const fetched = await fetchStaged(owner, slotFolder(root, from), incoming)
      if (fetched.manifest.version !== request.version) {
        throw new UpdateError(
          'handover',
          `${fetched.manifest.version} was fetched instead of ${request.version}.`,
        )
      }
      await tell(job, { status: 'extracting', progress: 40, message: `Unpacking ${job.version}` })
      await fillSlot(root, job.to, fetched.archive, fetched.manifest, fetched.platform)
      await requireDiskSpace()
      await requireAnswer(job)
      await tell(job, { status: 'backing-up', progress: 60, message: 'Backing up the data' })
      note(job, 'backing-up')
      await service.stop()
      await owner.keep(stamp)
      await tell(job, { status: 'applying', progress: 80, message: `Installing ${job.version}` })
      note(job, 'applying')
      turnTo(root, job.to)
    } catch (error) {
      return giveUp(job, error)
    }
    await goForward(job)
  }

  /** Continues a job after this program was interrupted, whatever the cause. */
  function takeUp(job: Job): Promise<void> {
    log(`An update to ${job.version} was interrupted (${job.phase}).`)
    if (job.phase === 'returning') return goBack(job)
    if (job.phase === 'returned') return finishReturn(job)
    if (currentSlot(root) === job.to) return goForward(job)
    return giveUp(
      job,
      new UpdateError('interrupted', 'The update was interrupted before anything was replaced.'),
    )
  }

  /** Checks before the switch that the service answers at the address used for the check. */
  async function requireAnswer({ from, was, version }: Job): Promise<void> {
    await service.answers(from, was, 30).catch((cause: unknown) => {
      const message = `${was} does not answer at its configured address, so the update could not verify ${version}. Set the variables of the service in /etc/default/pulse.`
      throw new UpdateError('health', message, { cause })
    })
  }

  async function requireDiskSpace(): Promise<void> {
    const { needed, free } = await owner.room()
    if (needed < free) return
    const megabytes = (bytes: number) => Math.ceil(bytes / 1e6)
    throw new UpdateError(
      'space',
      `Backing up the data needs ${megabytes(needed)} MB, and ${megabytes(free)} MB are free. Free some space.`,
    )
  }

  /** Ends the job before anything was replaced. */
  async function giveUp(job: Job, error: unknown): Promise<void> {
    await service.start()
    const fault = faultOf(error)
    await end(job, {
      status: 'error',
      progress: 100,
      message: `${job.was} keeps running`,
      fault,
      outcome: 'failed',
    })
  }

  async function goForward(job: Job): Promise<void> {
    try {
      note(job, 'restarting')
      await tell(job, { status: 'restarting', progress: 95, message: `Starting ${job.version}` })
      await service.start()
      await service.answers(job.to, job.version)
      await settle()
      await service.answers(job.to, job.version)
    } catch (error) {
      log(String(error))
      const message = `${job.version} failed its health check. ${job.was} is restored, with its data.`
      job.fault = { code: 'health', message }
      return goBack(job)
    }
    await end(job, {
      status: 'completed',
      progress: 100,
      message: `${job.version} runs`,
      outcome: 'success',
      backup: owner.keptAs(job.stamp),
    })
  }

  async function goBack(job: Job): Promise<void> {
    note(job, 'returning')
    await tell(job, { status: 'restarting', progress: 95, message: `Rolling back to ${job.was}` })
    await service.stop()
    await owner.putBack(job.stamp)
    turnTo(root, job.from)
    await finishReturn(job)
  }

  async function finishReturn(job: Job): Promise<void> {
    note(job, 'returned')
    await owner.open()
    await service.start()
    const answers = await service.answers(job.from, job.was).then(
      () => true,
      (error: unknown) => void log(String(error)),
    )
    await end(job, {
      status: 'error',
      progress: 100,
      message: answers ? `${job.was} runs again` : `${job.was} is restored, but does not answer`,
      outcome: 'rolled_back',
      ...(job.fault && { fault: job.fault }),
      backup: owner.keptAs(job.stamp),
    })
  }

  /** The next job may begin after the report, so by then only the journal may be left. */
  async function end(job: Job, progress: Telling & Required<Pick<SwitchProgress, 'outcome'>>): Promise<void> {
    for (const left of [incoming, freshFolder(root)]) fs.rmSync(left, { recursive: true, force: true })
    await owner.clear()
    await tell(job, progress)
    endJournal(root)
  }
}

function faultOf(error: unknown): { code: string; message: string } {
  if (error instanceof UpdateError) return { code: error.code, message: error.message }
  return { code: 'handover', message: error instanceof Error ? error.message : String(error) }
}
