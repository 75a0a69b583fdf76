import type { UpdateInfo, UpdatePlan } from '@pulse/contract'
import { CopyField } from '../../ui/copy-field.tsx'
import { lazyPart } from '../../ui/code/lazy-part.tsx'

/** The Markdown parser loads with the notes. */
const ReleaseNotes = lazyPart<{ markdown: string }>('Release notes', async () => ({
  default: (await import('./release-notes.tsx')).ReleaseNotes,
}))

interface PlanDetailsProps {
  info: UpdateInfo
  plan: UpdatePlan | undefined
}

/** The release notes and the requirements of an update. */
export function PlanDetails({ info, plan }: PlanDetailsProps) {
  return (
    <div className="flex flex-col gap-3">
      <PlanFacts info={info} plan={plan} withVersions />
      {plan?.prerequisites && plan.prerequisites.length > 0 && (
        <div>
          <p className="font-medium">Prerequisites</p>
          <ul className="list-disc pl-5 text-ink-2">
            {plan.prerequisites.map((one) => (
              <li key={one} className="break-words">
                {one}
              </li>
            ))}
          </ul>
        </div>
      )}
      {plan && !plan.canAutoUpdate && plan.instructions && plan.instructions.length > 0 && (
        <div className="flex flex-col gap-2">
          <p className="font-medium">How to update this installation</p>
          {plan.instructions.map((one, index) => (
            <CopyField key={index} label={`Step ${index + 1}`} hideLabel value={one} />
          ))}
        </div>
      )}
      {info.releaseNotes !== '' && (
        <div className="flex flex-col gap-1.5">
          <p className="font-medium">Release notes</p>
          <ReleaseNotes markdown={info.releaseNotes} />
        </div>
      )}
    </div>
  )
}

export function PlanFacts({
  info,
  plan,
  withVersions = false,
}: PlanDetailsProps & { withVersions?: boolean }) {
  const facts = [
    ...(withVersions
      ? [
          ['Installed', info.currentVersion],
          ['New version', info.latestVersion],
        ]
      : []),
    ...(info.releaseDate ? [['Released', day.format(Date.parse(info.releaseDate))]] : []),
    ...(plan?.estimatedTime === undefined ? [] : [['Estimated time', plan.estimatedTime]]),
    ...(plan ? [['Root', plan.requiresRoot ? 'Required' : 'Not required']] : []),
    ...(plan ? [['Rollback', plan.rollbackSupport ? 'Supported' : 'Not supported']] : []),
  ] as const
  return <FactsLine facts={facts} />
}

export const FactsLine = ({ facts }: { facts: readonly (readonly string[])[] }) => (
  <dl className="flex flex-wrap gap-x-8 gap-y-1">
    {facts.map(([name, value]) => (
      <div key={name} className="flex gap-2">
        <dt className="text-ink-3">{name}</dt>
        <dd className="font-medium">{value}</dd>
      </div>
    ))}
  </dl>
)

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
