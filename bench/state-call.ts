import type { PlainState } from '@pulse/contract'
import http from 'node:http'
import { asAdmin, pause } from './estate.ts'
import { percentile } from './figures.ts'
import type { GuestType } from './lab-calls.ts'

const ASKED = 40
/** Enough calls to cover every point of more than one cycle. */
const BETWEEN_MS = 263

/** Time of the complete state until its last byte, compressed and uncompressed. */
export async function stateTimes(url: string): Promise<{ gzipP95Ms: number; plainP95Ms: number }> {
  const times: Record<'gzip' | 'identity', number[]> = { gzip: [], identity: [] }
  for (let n = 0; n < ASKED; n++) {
    for (const encoding of ['gzip', 'identity'] as const) {
      times[encoding].push(await timeOf(`${url}/api/state`, encoding))
      await pause(BETWEEN_MS)
    }
  }
  return { gzipP95Ms: percentile(times.gzip, 0.95), plainP95Ms: percentile(times.identity, 0.95) }
}

/** Not `fetch`: it decompresses, which is a cost of the client. */
function timeOf(address: string, encoding: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const from = performance.now()
    const headers = { ...asAdmin, 'accept-encoding': encoding }
    http
      .get(address, { headers }, (answer) => {
        let bytes = 0
        answer.on('data', (part: Buffer) => (bytes += part.length))
        answer.on('error', reject)
        answer.on('end', () => {
          const given = answer.headers['content-encoding'] ?? 'identity'
          if (answer.statusCode === 200 && given === encoding && bytes > 0) resolve(performance.now() - from)
          else reject(new Error(`GET /api/state: ${answer.statusCode}, ${given}, ${bytes} bytes`))
        })
      })
      .on('error', reject)
  })
}

const state = async (url: string) =>
  (await (await fetch(`${url}/api/state`, { headers: asAdmin })).json()) as PlainState

export async function runningGuests(url: string): Promise<Record<GuestType, number>> {
  const { vms, containers } = await state(url)
  const runningOf = (guests: readonly { status: string }[]) =>
    guests.filter(({ status }) => status === 'running').length
  return { qemu: runningOf(vms), lxc: runningOf(containers) }
}

/** Templates are part of the estate but not shown. */
export async function isComplete(url: string, guests: number): Promise<boolean> {
  const { vms, containers } = await state(url)
  return vms.length + containers.length > guests * 0.8
}
