import { alertAddress } from './alert-address.ts'
import { mostSevereFirst } from './batch.ts'
import { leftOf, levelText, type Message, moreText, type DescribedAlert, toMessage } from './message.ts'
import type { Notice } from './notice.ts'
import { parseTemplate } from './template/parse.ts'
import { renderTemplate } from './template/render.ts'
import { clipped, oneLine } from './text.ts'
import { dayAndTime } from './zone-clock.ts'

export interface MailText {
  /** one line */
  subject: string
  text: string
  html: string
}

/** Alerts that a mail shows. */
export const mailRows = 50

/** As text and as HTML. Foreign names and messages are escaped for their position. */
export function mailText(notice: Notice): MailText {
  const message = toMessage(notice)
  const rows = mostSevereFirst(notice.alerts, ({ alert }) => alert)
    .slice(0, mailRows)
    .map((one) => toMessage({ ...notice, alerts: [one] }).first)
  return {
    subject: clipped(`[Pulse] ${message.title}`, 200),
    text: plain(message, rows),
    html: page(message, rows),
  }
}

const leftOut = ({ notice }: Message): string => {
  const beyond = mostSevereFirst(notice.alerts, ({ alert }) => alert).slice(mailRows)
  const more = moreText(leftOf(notice, beyond))
  return more && `… ${more}. Open Pulse to see them all.`
}

/** In a message about several alerts, each line begins with its level. */
const headOf = ({ notice }: Message, { alert, text }: DescribedAlert): string =>
  notice.alerts.length > 1 && notice.kind !== 'resolved'
    ? `${levelText(alert)} – ${oneLine(text)}`
    : oneLine(text)

const sentAt = ({ at, timezone = 'UTC' }: Notice): string =>
  `Sent by Pulse on ${dayAndTime(timezone, Date.parse(at))}.`

const isWeb = (address = ''): boolean => /^https?:\/\//i.test(address)

/** Empty without an address of Pulse, and for a test, whose alert does not exist. */
const linkOf = ({ notice: { publicUrl }, isTest }: Message, { alert }: DescribedAlert): string =>
  publicUrl && isWeb(publicUrl) && !isTest ? alertAddress(publicUrl, alert) : ''

function plain(message: Message, rows: readonly DescribedAlert[]): string {
  const { notice, title } = message
  const blocks = rows.map((row) => {
    const link = linkOf(message, row)
    const lines = link ? [...row.facts, ['Open alert', link]] : row.facts
    return [clipped(headOf(message, row), 500), ...lines.map(([name, value]) => `  ${name}: ${value}`)].join(
      '\n',
    )
  })
  const ends = [leftOut(message), notice.publicUrl ?? '', sentAt(notice)]
  return [title, ...blocks, ...ends.filter(Boolean)].join('\n\n') + '\n'
}

const colors = { critical: '#b42318', warning: '#b54708', resolved: '#067647' }

/** A template, so that its values are escaped like those of user templates. */
const layout = parseTemplate(`<!doctype html>
<html><body style="margin:0;padding:24px;background:#f4f5f7;font:14px/1.5 system-ui,sans-serif;color:#1d2433">
<div style="max-width:640px;margin:auto;background:#fff;border:1px solid #dfe3ea;border-radius:8px;padding:20px 24px">
<h1 style="margin:0 0 12px;font-size:17px;color:{{.CustomFields.color}}">{{.CustomFields.title}}</h1>
{{range .Alerts}}<div style="border-top:1px solid #e6e9ef;padding:12px 0">
<div style="font-weight:600">{{.Message}}</div>
<div style="color:#5b6474;font-size:13px">{{.Metadata.facts}}</div>
{{if .Instance}}<div><a href="{{.Instance}}" style="color:#2456c7">Open alert</a></div>
{{end}}</div>
{{end}}{{if .CustomFields.left}}<p style="color:#5b6474">{{.CustomFields.left}}</p>
{{end}}{{if .Instance}}<p><a href="{{.Instance}}" style="color:#2456c7">Open Pulse</a></p>
{{end}}<p style="margin:16px 0 0;color:#8a93a3;font-size:12px">{{.CustomFields.sent}}</p>
</div></body></html>
`)

function page(message: Message, rows: readonly DescribedAlert[]): string {
  const { notice, tone, title } = message
  const data = {
    Instance: isWeb(notice.publicUrl) ? notice.publicUrl! : '',
    CustomFields: { color: colors[tone], title, left: leftOut(message), sent: sentAt(notice) },
    Alerts: rows.map((row) => ({
      Message: clipped(headOf(message, row), 300),
      Instance: linkOf(message, row),
      Metadata: { facts: row.facts.map(([name, value]) => `${name}: ${clipped(value, 60)}`).join(' · ') },
    })),
  }
  return renderTemplate(layout, data, 'html')
}
