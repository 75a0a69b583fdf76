import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import type { TestOutcome } from './test-outcome.ts'

interface TestResultProps {
  outcome: TestOutcome
  /** offered if trusting the certificate would help */
  onTrust?: ((fingerprint: string) => void) | undefined
  /** the tested subject, if it differs from the form */
  note?: string | undefined
}

export function TestResult({ outcome, onTrust, note }: TestResultProps) {
  const { ok, message, warnings, facts, fingerprint } = outcome
  return (
    <Notice tone={toneOf(outcome)} title={message} announce>
      {facts.length > 0 && <p>{facts.join(' · ')}</p>}
      {note && <p>{note}</p>}
      {warnings.length > 0 && (
        <ul aria-label="Missing rights" className="mt-1 list-disc pl-4">
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      {onTrust && fingerprint && (
        <div className="mt-2 flex flex-col items-start gap-2">
          <p>{ok ? unverifiedText : untrustedText}</p>
          <dl className="text-ink">
            <dt className="text-xs text-ink-2">SHA-256 fingerprint</dt>
            <dd className="font-mono text-xs break-all">{fingerprint}</dd>
          </dl>
          <Button onClick={() => onTrust(fingerprint)}>Trust this certificate</Button>
        </div>
      )}
    </Notice>
  )
}

const toneOf = ({ ok, warnings }: TestOutcome) => (ok ? (warnings.length > 0 ? 'yellow' : 'green') : 'red')

const untrustedText =
  'Compare this fingerprint with the one the server itself shows. If they match, trust it. Pulse will reject any other certificate.'
const unverifiedText =
  'The certificate is not verified now. If this fingerprint matches the one the server itself shows, trust it. Pulse will reject any other certificate.'
