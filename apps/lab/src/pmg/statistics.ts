import { fraction, mix } from '../random.ts'
import { hourSeconds, type Mail, mailBetween } from './mail.ts'
import { ApiError, parameterError } from '../api/api-error.ts'
import type { ApplianceCall, ApplianceRoute } from '../appliance/appliance.ts'
import type { ParameterRule } from '../api/parameters.ts'
import type { MailGateway } from './gateway.ts'

const daySeconds = 86_400
const longestSpan = 366 * daySeconds
const mostBuckets = 5000
const window: Record<string, ParameterRule> = { starttime: 'integer', endtime: 'integer' }
const calendar: Record<string, ParameterRule> = {
  ...window,
  day: 'integer',
  month: 'integer',
  year: 'integer',
}

export const statisticsRoutes = (gateway: MailGateway): ApplianceRoute[] => [
  { path: '/statistics/mail', needs: 'statistics', query: calendar, answer: (call) => mail(gateway, call) },
  {
    path: '/statistics/mailcount',
    needs: 'statistics',
    query: { ...calendar, timespan: 'integer' },
    answer: (call) => mailCount(gateway, call),
  },
  {
    path: '/statistics/spamscores',
    needs: 'statistics',
    query: calendar,
    answer: (call) => spamScores(gateway, call),
  },
  {
    path: '/statistics/domains',
    needs: 'statistics',
    query: calendar,
    answer: (call) => domains(gateway, call),
  },
  {
    path: '/statistics/recent',
    needs: 'statistics',
    query: { hours: { required: 'integer' }, timespan: 'integer' },
    answer: (call) => recent(gateway, call),
  },
]

const nowIn = ({ now }: ApplianceCall): number => Math.floor(now() / 1000)

/** PMG rounds the end of a window down to a day, so the default window is yesterday. */
function daysAsked(call: ApplianceCall): { from: number; until: number } {
  const { from, until } = windowAsked(call)
  return { from: from - (from % daySeconds), until: until - (until % daySeconds) }
}

function windowAsked(call: ApplianceCall): { from: number; until: number } {
  const { starttime, endtime, day, month, year } = call.params
  if (day !== undefined || month !== undefined || year !== undefined) {
    if (starttime !== undefined || endtime !== undefined) {
      throw parameterError({ starttime: 'parameter conflicts with parameter day/month/year' })
    }
    return datesAsked(nowIn(call), { day, month, year })
  }
  const from = starttime === undefined ? nowIn(call) - daySeconds : Number(starttime)
  return { from, until: endtime === undefined ? from + daySeconds : Number(endtime) }
}

/** A day, a month or a year; omitted parts default to the current date. */
function datesAsked(now: number, asked: Record<'day' | 'month' | 'year', string | undefined>) {
  const today = new Date(now * 1000)
  const year = Number(asked.year ?? today.getUTCFullYear())
  const month = asked.month === undefined ? undefined : Number(asked.month) - 1
  if (asked.day !== undefined) {
    const day = [year, month ?? today.getUTCMonth(), Number(asked.day)] as const
    const from = Date.UTC(...day) / 1000
    return { from, until: from + daySeconds }
  }
  if (month !== undefined)
    return { from: Date.UTC(year, month) / 1000, until: Date.UTC(year, month + 1) / 1000 }
  return { from: Date.UTC(year, 0) / 1000, until: Date.UTC(year + 1, 0) / 1000 }
}

const junkOf = (sum: Mail): number =>
  sum.virusIn + sum.spamIn + sum.greylisted + sum.spf + sum.rbl + sum.pregreet

function mail({ mailSeed }: MailGateway, call: ApplianceCall) {
  const { from, until } = daysAsked(call)
  const sum = mailBetween(mailSeed, from, until, nowIn(call))
  const count = sum.in + sum.out
  return {
    count,
    count_in: sum.in,
    count_out: sum.out,
    bytes_in: sum.bytesIn,
    bytes_out: sum.bytesOut,
    spamcount_in: sum.spamIn,
    spamcount_out: sum.spamOut,
    viruscount_in: sum.virusIn,
    viruscount_out: 0,
    bounces_in: sum.bouncesIn,
    bounces_out: sum.bouncesOut,
    junk_in: junkOf(sum),
    junk_out: sum.spamOut,
    glcount: sum.greylisted,
    spfcount: sum.spf,
    rbl_rejects: sum.rbl,
    pregreet_rejects: sum.pregreet,
    avptime: count === 0 ? 0 : sum.seconds / count,
  }
}

function domains({ mailSeed }: MailGateway, call: ApplianceCall) {
  const { from, until } = daysAsked(call)
  return domainRows(mailSeed, mailBetween(mailSeed, from, until, nowIn(call)))
}

function mailCount({ mailSeed }: MailGateway, call: ApplianceCall) {
  const span = Number(call.params.timespan ?? hourSeconds)
  if (span < hourSeconds)
    throw parameterError({ timespan: `value must have a minimum value of ${hourSeconds}` })
  if (span > longestSpan)
    throw parameterError({ timespan: `value must have a maximum value of ${longestSpan}` })
  const { from, until } = windowAsked(call)
  const first = from - (from % hourSeconds)
  const count = Math.max(0, Math.ceil((until - first) / span))
  if (count > mostBuckets) throw tooMany()
  return Array.from({ length: count }, (_, index) => {
    const time = first + index * span
    return aBucket(index, time, mailBetween(mailSeed, time, time + span, nowIn(call)))
  })
}

/** PMG returns database sums as texts, and fills hours without a row with numbers. */
function aBucket(index: number, time: number, sum: Mail) {
  const isEmpty = sum.in + sum.out === 0
  const said = (value: number) => (isEmpty ? value : String(value))
  return {
    index,
    time,
    count: sum.in + sum.out,
    count_in: said(sum.in),
    count_out: said(sum.out),
    spamcount_in: sum.spamIn + sum.greylisted + sum.spf + sum.rbl + sum.pregreet,
    spamcount_out: said(sum.spamOut),
    viruscount_in: said(sum.virusIn),
    viruscount_out: said(0),
    bounces_in: said(sum.bouncesIn),
    bounces_out: said(sum.bouncesOut),
    ...(sum.rbl > 0 && { rbl_rejects: String(sum.rbl) }),
    ...(sum.pregreet > 0 && { pregreet_rejects: String(sum.pregreet) }),
  }
}

const tooMany = () => new ApiError(500, "too many entries - try to increase parameter 'span'")

/** Level 10 means 10 and more; level 0 is clean mail, which releases before 9.1 return as a negative count. */
function spamScores({ mailSeed, version }: MailGateway, call: ApplianceCall) {
  const { from, until } = daysAsked(call)
  const sum = mailBetween(mailSeed, from, until, nowIn(call))
  const weights = [3, 4, 5, 7, 9, 12, 14, 13, 11, 22].map(
    (weight, index) => weight * (0.5 + fraction(mailSeed, index)),
  )
  const total = weights.reduce((left, right) => left + right, 0)
  const counts = weights.map((weight) => Math.floor((sum.spamIn * weight) / total))
  const clean = Math.max(0, sum.in - counts.reduce((left, right) => left + right, 0))
  const isOld = !/\/9\.[1-9]/.test(version)
  const ratioOf = (count: number) => (sum.in === 0 ? 0 : count / sum.in)
  return [clean, ...counts].map((count, level) => ({
    level,
    count: level === 0 ? (isOld && count > 0 ? -count : count) : count > 0 ? String(count) : 0,
    ratio: ratioOf(count),
  }))
}

/** The only rolling window, and the only statistics with bytes. */
function recent({ mailSeed }: MailGateway, call: ApplianceCall) {
  const hours = Number(call.params.hours)
  const span = Number(call.params.timespan ?? 1800)
  if (hours < 1 || hours > 24) throw parameterError({ hours: 'value must be between 1 and 24' })
  if (span < 60 || span > 1800) throw parameterError({ timespan: 'value must be between 60 and 1800' })
  const now = nowIn(call)
  const last = now - (now % span)
  const count = Math.floor((hours * hourSeconds) / span)
  return Array.from({ length: count }, (_, index) => {
    const time = last - (count - 1 - index) * span
    const sum = mailBetween(mailSeed, time, time + span, now)
    return {
      index,
      time,
      timespan: span,
      count: sum.in + sum.out,
      count_in: sum.in,
      count_out: sum.out,
      spam: sum.spamIn + sum.spamOut,
      spam_in: sum.spamIn,
      spam_out: sum.spamOut,
      virus: sum.virusIn,
      virus_in: sum.virusIn,
      virus_out: 0,
      bytes_in: sum.bytesIn,
      bytes_out: sum.bytesOut,
      ptimesum: sum.seconds,
    }
  })
}

/** The site's own domains and domains of others. */
const names = [
  'example.com',
  'mail.example.org',
  'shop.example',
  'example.net',
  'news.example',
  'lists.example.com',
]

/** A mail counts for its recipient's and its sender's domain. Sums are texts, bytes fractional. */
function domainRows(seed: number, sum: Mail) {
  const weights = names.map((_, n) => (0.4 + fraction(mix(seed, 77), n)) / (n + 1))
  const all = weights.reduce((left, right) => left + right, 0)
  return names.map((domain, n) => {
    const part = (count: number) => String(Math.floor((count * weights[n]!) / all))
    return {
      domain,
      count_in: part(sum.in),
      count_out: part(sum.out),
      bytes_in: (sum.bytesIn * weights[n]!) / all,
      bytes_out: (sum.bytesOut * weights[n]!) / all,
      spamcount_in: part(sum.spamIn),
      spamcount_out: part(sum.spamOut),
      viruscount_in: part(sum.virusIn),
      viruscount_out: '0',
    }
  })
}
