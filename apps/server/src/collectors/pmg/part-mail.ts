import type { HostPart } from '../proxmox/host-part.ts'
import { readList, readOne } from '../proxmox/schema.ts'
import type { PmgCache } from './cache.ts'
import { toMailFigures } from './mail.ts'
import { PmgMail, PmgMailCount, PmgRecent, PmgSpamScore } from './schema.ts'

/**
 * Days are whole days in the gateway's time zone. Without a parameter the query is for yesterday, and with
 * the current time it is for today. The hourly query refuses a timeframe.
 */
const HOURS = '/statistics/mailcount'
const RECENT = '/statistics/recent?hours=24&timespan=1800'
const DAY = '/statistics/mail'
const SCORES = '/statistics/spamscores'
/** A real gateway reports eleven. */
const mostScores = 100

/** The mail of the last 24 hours. */
export const mail: HostPart<PmgCache> = {
  name: 'mail statistics',
  flags: ['monitorMailStats'],
  calls: { perLook: 6 },
  start: ({ cache, now, get }) => ({
    loops: [
      {
        name: 'mail statistics',
        right: 'Auditor',
        async run(signal) {
          const today = `?starttime=${Math.floor(now() / 1000)}`
          const day = async (when: string) => readOne(PmgMail, await get(DAY + when, signal), DAY)
          const scores = async (when: string) =>
            readList(PmgSpamScore, await get(SCORES + when, signal), SCORES).slice(0, mostScores)
          // One after the other, because each is a query of the gateway's database.
          cache.mail = toMailFigures(
            {
              hours: readList(PmgMailCount, await get(HOURS, signal), HOURS),
              recent: readList(PmgRecent, await get(RECENT, signal), RECENT),
              mail: { today: await day(today), before: await day('') },
              scores: { today: await scores(today), before: await scores('') },
            },
            new Date(now()).toISOString(),
          )
        },
      },
    ],
    stop: () => void (cache.mail = undefined),
  }),
}
