import type { SecurityStatus } from '@pulse/contract'
import { securityChecks, securityScore } from '@pulse/domain'
import { ShieldCheck, Siren, TriangleAlert } from 'lucide-react'
import { useSession } from '../../api/session.tsx'
import { checkTexts } from '../../lib/security-checks.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Popover } from '../../ui/popover.tsx'
import { Link } from '../../ui/router/link.tsx'
import { toneText } from '../../ui/tone-class.ts'
import { Banner } from './banner.tsx'
import { type DismissalPeriod, dismissalPeriods, useDismissal } from './dismissal.ts'

export const securityKey = 'securityWarningDismissed'

const icons = { shield: ShieldCheck, warning: TriangleAlert, alarm: Siren }

/** Shown to administrators until dismissed. */
export function SecurityBanner() {
  const { status, isAdmin } = useSession()
  const [dismissed, dismiss] = useDismissal(securityKey)
  const { isDue, score, outOf, tone, icon, isOpen, missing } = securityWarning(status)
  if (!isAdmin || !isDue || dismissed) return null
  return (
    <Banner
      label="Security warning"
      tone={isOpen ? 'red' : tone}
      icon={icons[icon]}
      title={
        <>
          Security score:{' '}
          <span className={toneText[tone]}>
            <span className="tabular-nums">{`${score}/${outOf}`}</span>
          </span>
          {isOpen && <span className="text-red"> · Public access without authentication</span>}
        </>
      }
      text={`${isOpen ? 'Anyone who can reach this server over the internet is an administrator. ' : ''}Missing: ${missing
        .map((id) => checkTexts[id].label)
        .join(', ')}.`}
      actions={
        <>
          <Link to="/settings?tab=security" className={buttonClass()}>
            Enable Security
          </Link>
          <Dismissal onDismiss={dismiss} />
        </>
      }
    />
  )
}

const periodTexts: Record<DismissalPeriod, string> = {
  day: 'For 1 day',
  week: 'For 1 week',
  forever: 'Forever',
}

function Dismissal({ onDismiss }: { onDismiss: (period: DismissalPeriod) => void }) {
  return (
    <Popover
      label="Dismiss the security warning"
      align="end"
      trigger={<Button variant="ghost">Dismiss</Button>}
    >
      <div className="flex flex-col items-stretch">
        {dismissalPeriods.map((period) => (
          <Button key={period} variant="ghost" className="justify-start" onClick={() => onDismiss(period)}>
            {periodTexts[period]}
          </Button>
        ))}
      </div>
    </Popover>
  )
}

/** One point per passed check. */
const outOf = securityChecks.length
const enough = 4

interface SecurityWarning {
  isDue: boolean
  score: number
  outOf: number
  tone: 'green' | 'yellow' | 'orange' | 'red'
  icon: 'shield' | 'warning' | 'alarm'
  /** every visitor is an administrator */
  isOpen: boolean
  missing: readonly (typeof securityChecks)[number][]
}

export function securityWarning(status: SecurityStatus): SecurityWarning {
  const { score, checks } = securityScore(status)
  const share = score / outOf
  const isOpen = status.publicAccess && !status.hasAuthentication
  const met = new Set(checks.filter((check) => check.met).map(({ id }) => id))
  return {
    isDue: score < enough || isOpen,
    score,
    outOf,
    tone: share >= 0.8 ? 'green' : share >= 0.6 ? 'yellow' : share >= 0.4 ? 'orange' : 'red',
    icon: share >= 0.8 ? 'shield' : share >= 0.6 ? 'warning' : 'alarm',
    isOpen,
    missing: securityChecks.filter((id) => !met.has(id)),
  }
}
