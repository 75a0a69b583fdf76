import type { Clock } from '@pulse/domain'
import type { Logger } from 'pino'

export type Area = readonly [name: string, stop: () => void | Promise<void>]

/** Each area ends on its own: what fails or does not end in time is said, and keeps nothing else from ending. */
export async function stopTogether(
  areas: readonly Area[],
  { clock, log, limitMs }: { clock: Clock; log: Logger; limitMs: number },
): Promise<void> {
  await Promise.all(
    areas.map(async ([name, stop]) => {
      let cancel = () => {}
      const late = new Promise<'late'>((resolve) => {
        cancel = clock.after(limitMs, () => resolve('late'))
      })
      try {
        const outcome = await Promise.race([Promise.resolve().then(stop), late])
        if (outcome === 'late') log.error(`${name} did not end within ${limitMs} ms; Pulse stops without it`)
      } catch (error) {
        log.error({ err: error }, `${name} did not end cleanly; Pulse stops all the same`)
      } finally {
        cancel()
      }
    }),
  )
}
