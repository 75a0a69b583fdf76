import type { MailGateway, MailStats } from '@pulse/contract'
import { formatFixed, formatNumber, formatPercent, MISSING } from '../../lib/format.ts'

/** A panel's line: a figure, optionally with its rate per hour, its share or a note. */
export interface FigureRow {
  label: string
  figure: string
  unit?: string
  perHour?: string
  share?: string
  /** the total of the share */
  of?: string
  note?: string
}

const hours = 24
const MB = 1024 * 1024

/** A share of zero is 0 %. */
export const shareOf = (count: number, total: number): string =>
  formatPercent((count / Math.max(1, total)) * 100)

function perHour(total: number): string {
  const rate = total / hours
  return rate > 0 && rate < 0.5 ? '<1/hr' : `${formatNumber(rate)}/hr`
}

export function flowRows(stats: MailStats): FigureRow[] {
  const { countTotal, countIn, countOut, spamIn, virusIn } = stats
  const row = (label: string, count: number, [whole, of]: readonly [number, string]) => ({
    label,
    figure: formatNumber(count),
    perHour: perHour(count),
    share: shareOf(count, whole),
    of,
  })
  const all = [countTotal, 'all mail'] as const
  const inbound = [countIn, 'inbound mail'] as const
  return [
    row('Total processed', countTotal, all),
    row('Inbound', countIn, all),
    row('Outbound', countOut, all),
    row('Spam caught', spamIn, inbound),
    row('Viruses blocked', virusIn, inbound),
  ]
}

/** MiB, with one decimal below 100. */
const megabytes = (mb: number) => formatNumber(mb, undefined, mb < 100 ? 1 : 0)

export const volumeRows = ({ bytesIn, bytesOut }: MailStats): FigureRow[] =>
  [
    { label: 'Inbound', bytes: bytesIn },
    { label: 'Outbound', bytes: bytesOut },
  ].map(({ label, bytes }) => ({
    label,
    figure: megabytes(bytes / MB),
    unit: 'MB',
    perHour: `${megabytes(bytes / MB / hours)} MB/hr`,
  }))

export function threatRows(quarantine: NonNullable<MailGateway['quarantine']>): FigureRow[] {
  const { spam, virus, attachment, blacklisted } = quarantine
  return [
    { label: 'Spam', figure: formatNumber(spam) },
    { label: 'Virus', figure: formatNumber(virus) },
    { label: 'Attachments blocked', figure: formatNumber(attachment) },
    { label: 'Blacklisted', figure: formatNumber(blacklisted) },
    { label: 'Total quarantined', figure: formatNumber(spam + virus + attachment + (blacklisted ?? 0)) },
  ]
}

export function deliveryRows(stats: MailStats): FigureRow[] {
  const { averageProcessTimeMs: processMs } = stats
  const count = (label: string, figure: number) => ({ label, figure: formatNumber(figure) })
  return [
    count('Inbound bounces', stats.bouncesIn),
    count('Outbound bounces', stats.bouncesOut),
    count('RBL rejects', stats.rblRejects),
    count('Pregreet rejects', stats.pregreetRejects),
    count('Greylisted', stats.greylistCount),
    count('Junk mail', stats.junkIn),
    processMs > 0
      ? {
          label: 'Average process time',
          figure: formatFixed(processMs / 1000, 2),
          unit: 's',
          note: `≈ ${formatNumber(60_000 / processMs)} messages/min`,
        }
      : { label: 'Average process time', figure: MISSING },
  ]
}

export interface ScoreRow {
  score: string
  count: string
  share: string
  percent: number
}

/** The last bucket also holds all higher scores. */
const lastBucket = '10'

export function scoreRows(distribution: NonNullable<MailGateway['spamDistribution']>): ScoreRow[] {
  const total = distribution.reduce((sum, { count }) => sum + count, 0)
  return distribution
    .toSorted((a, b) => Number(a.score) - Number(b.score))
    .map(({ score, count }) => ({
      score: score === lastBucket ? `${score}+` : score,
      count: formatNumber(count),
      share: shareOf(count, total),
      percent: (count / Math.max(1, total)) * 100,
    }))
}
