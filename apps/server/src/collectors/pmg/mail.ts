import type { MailGateway, MailHour, MailStats } from '@pulse/contract'
import type { PmgMail, PmgMailCount, PmgRecent, PmgSpamScore } from './schema.ts'

/** The answers about mail. `today` and `before` are whole days in the gateway's time zone. */
export interface MailAnswers {
  hours: readonly PmgMailCount[]
  recent: readonly PmgRecent[]
  mail: { today: PmgMail; before: PmgMail }
  scores: { today: readonly PmgSpamScore[]; before: readonly PmgSpamScore[] }
}

export type MailFigures = Required<Pick<MailGateway, 'mailStats' | 'mailCount' | 'spamDistribution'>>

const dayHours = 24

/**
 * The last 24 hours. The hourly statistics have counts, bytes and times. Other figures exist only per day:
 * today's count, plus a share of yesterday's that matches the hourly count of mail. Spam is a daily figure,
 * because its hourly count includes greylisting and rejects by SPF, blocklist or pregreet test.
 */
export function toMailFigures({ hours, recent, mail, scores }: MailAnswers, updatedAt: string): MailFigures {
  const last = hours.slice(-dayHours)
  const sum = (read: (hour: PmgMailCount) => number | undefined) => total(last.map(read))
  const countIn = sum((hour) => hour.count_in)
  const { today, before } = mail
  const yesterdays = before.count_in ?? 0
  const missing = countIn - (today.count_in ?? 0)
  const share = yesterdays > 0 ? Math.min(1, Math.max(0, missing / yesterdays)) : 0
  const both = (now: number | undefined, then: number | undefined) =>
    Math.max(0, Math.round((now ?? 0) + share * (then ?? 0)))
  const passed = total(recent.map(({ count }) => count))
  const seconds = total(recent.map(({ ptimesum }) => ptimesum))
  const mailStats: MailStats = {
    timeframe: 'day',
    updatedAt,
    countTotal: sum((hour) => hour.count),
    countIn,
    countOut: sum((hour) => hour.count_out),
    spamIn: both(today.spamcount_in, before.spamcount_in),
    spamOut: sum((hour) => hour.spamcount_out),
    virusIn: sum((hour) => hour.viruscount_in),
    virusOut: sum((hour) => hour.viruscount_out),
    bouncesIn: sum((hour) => hour.bounces_in),
    bouncesOut: sum((hour) => hour.bounces_out),
    bytesIn: Math.round(total(recent.map(({ bytes_in }) => bytes_in))),
    bytesOut: Math.round(total(recent.map(({ bytes_out }) => bytes_out))),
    rblRejects: sum((hour) => hour.rbl_rejects),
    pregreetRejects: sum((hour) => hour.pregreet_rejects),
    greylistCount: both(today.glcount, before.glcount),
    junkIn: both(today.junk_in, before.junk_in),
    averageProcessTimeMs: passed > 0 ? Math.round((seconds / passed) * 1e6) / 1e3 : 0,
  }
  return {
    mailStats,
    mailCount: last.map(toHour),
    spamDistribution: scores.today.flatMap(({ level }) =>
      level === undefined
        ? []
        : [
            {
              score: level,
              count: both(countOf(level, scores.today, today), countOf(level, scores.before, before)),
            },
          ],
    ),
  }
}

function countOf(level: string, scores: readonly PmgSpamScore[], { count_in }: PmgMail): number {
  const count = scores.find((one) => one.level === level)?.count ?? 0
  if (count >= 0) return count
  const others = scores.filter((one) => one.level !== level)
  return Math.max(0, (count_in ?? 0) - total(others.map(({ count }) => Math.max(0, count ?? 0))))
}

const total = (counts: readonly (number | undefined)[]): number =>
  counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)

function toHour(hour: PmgMailCount, index: number): MailHour {
  const began = new Date(Math.min(8.64e12, Math.max(0, hour.time)) * 1000).toISOString()
  return {
    timestamp: began,
    windowStart: began,
    timeframe: 'hour',
    index,
    count: hour.count ?? 0,
    countIn: hour.count_in ?? 0,
    countOut: hour.count_out ?? 0,
    spamIn: hour.spamcount_in ?? 0,
    spamOut: hour.spamcount_out ?? 0,
    virusIn: hour.viruscount_in ?? 0,
    virusOut: hour.viruscount_out ?? 0,
    rblRejects: hour.rbl_rejects ?? 0,
    pregreet: hour.pregreet_rejects ?? 0,
    bouncesIn: hour.bounces_in ?? 0,
    bouncesOut: hour.bounces_out ?? 0,
  }
}
