import type { SecurityStatus } from '@pulse/contract'
import { securityScore, type SecurityScore } from '@pulse/domain'
import { CircleCheck, CircleX } from 'lucide-react'
import { useSession } from '../../../api/session.tsx'
import { cx } from '../../../ui/cx.ts'
import { Notice } from '../../../ui/notice.tsx'
import { toneFill, toneText } from '../../../ui/tone-class.ts'
import { Panel } from '../../../ui/panel.tsx'
import { checkTexts } from '../../../lib/security-checks.ts'

/** Security rating of this installation, and recommended next steps. */
export function PosturePanel() {
  const { status } = useSession()
  const { score, outOf, tone, checks } = securityScore(status)
  const facts = postureFacts(status)
  return (
    <Panel
      title="Security posture"
      action={
        <div className="flex items-center gap-3">
          <span aria-hidden className="flex gap-1">
            {checks.map(({ id }, index) => (
              <span
                key={id}
                data-on={index < score}
                className="score-part h-1.5 w-6 rounded-full"
                style={{ background: index < score ? toneFill[tone] : 'var(--track)' }}
              />
            ))}
          </span>
          <p className="text-table">
            <span className="font-semibold tabular-nums">{`${score} of ${outOf}`}</span>{' '}
            <span className={cx('font-medium', toneText[tone])}>{scoreWord[tone]}</span>
          </p>
        </div>
      }
    >
      <ul aria-label="Security checks" className="grid gap-x-6 gap-y-3 md:grid-cols-2 2xl:grid-cols-3">
        {checks.map(({ id, met }) => (
          <Check
            key={id}
            label={checkTexts[id].label}
            met={met}
            text={checkTexts[id][met ? 'met' : 'missing']}
          />
        ))}
      </ul>
      <dl className="mt-4 flex flex-wrap gap-x-8 gap-y-2 border-t border-line pt-3 text-table">
        {facts.map(({ label, value }) => (
          <div key={label} className="flex gap-2">
            <dt className="text-ink-3">{label}</dt>
            <dd className="break-all">{value}</dd>
          </div>
        ))}
      </dl>
      {facts.map(
        ({ label, warning }) =>
          warning && (
            <div key={label} className="mt-3">
              <Notice tone="orange">{warning}</Notice>
            </div>
          ),
      )}
    </Panel>
  )
}

function Check({ label, met, text }: { label: string; met: boolean; text: string }) {
  const Icon = met ? CircleCheck : CircleX
  return (
    <li className="flex items-start gap-2.5">
      <Icon aria-hidden size={16} className={cx('mt-0.5 shrink-0', met ? 'text-green' : 'text-red')} />
      <div className="min-w-0 text-table">
        <p className="font-medium">
          {label}{' '}
          <span className={cx('text-xs', met ? 'text-green' : 'text-red')}>{met ? 'Done' : 'Missing'}</span>
        </p>
        <p className="text-xs text-ink-2">{text}</p>
      </div>
    </li>
  )
}

/** The score as a word, beside its colour. */
const scoreWord: Record<SecurityScore['tone'], string> = {
  green: 'Good',
  yellow: 'Room for improvement',
  red: 'Needs attention',
}

interface Fact {
  label: string
  value: string
  warning?: string
}

/** Further facts about access to this server and its auditing. */
function postureFacts(status: SecurityStatus): readonly Fact[] {
  const { hasAuditLogging, publicAccess, isPrivateNetwork, clientIP, apiTokenHint } = status
  return [
    ...(hasAuditLogging === undefined ? [] : [{ label: 'Audit log', value: hasAuditLogging ? 'On' : 'Off' }]),
    {
      label: 'Network',
      value: publicAccess ? 'Public' : isPrivateNetwork ? 'Private' : 'Unknown',
      ...(publicAccess && {
        warning: 'You are reaching Pulse from a public address. Use HTTPS and strong passwords, or a VPN.',
      }),
    },
    ...(clientIP ? [{ label: 'Your address', value: clientIP }] : []),
    ...(apiTokenHint ? [{ label: 'Newest API token', value: apiTokenHint }] : []),
  ]
}
