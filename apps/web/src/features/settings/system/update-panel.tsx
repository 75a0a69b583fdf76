import {
  getUpdateCheck,
  getVersion,
  type SystemSettings,
  type UpdateInfo,
  type VersionInfo,
} from '@pulse/contract'
import { useEffect } from 'react'
import { useApi } from '../../../api/api.tsx'
import { useAnswer } from '../../../api/use-answer.ts'
import { useChange } from '../../../api/use-change.ts'
import { log } from '../../../lib/log.ts'
import { storeCheck, useKnownUpdate } from '../../../parts/updates/known-update.ts'
import { FactsLine, PlanDetails } from '../../../parts/updates/plan-details.tsx'
import { confirmUpdate, usePlan } from '../../../parts/updates/update-flow.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Select } from '../../../ui/select.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { toast } from '../../../ui/toast.ts'
import { installationTexts } from '../installations.ts'
import { checkOptions } from './interval-options.ts'
import { type EditedField, useSystemEdits } from './system-edits.tsx'
import { lockedHint, type SystemForm } from './system-form.ts'

const channels = [
  { value: 'stable', label: 'Stable' },
  { value: 'rc', label: 'Release candidates' },
] as const

export function UpdatePanel({ form }: { form: SystemForm }) {
  const { values, change, isLocked } = form
  const version = useBuild()
  const isDocker = version?.isDocker === true
  const check = useForcedCheck()
  const known = useKnownUpdate(version)
  const latest = check.data ?? known.info
  const found = latest?.available ? latest : undefined
  const isFixed = (field: EditedField) => isDocker || isLocked(field)
  const note = (field: EditedField) =>
    isLocked(field) && <p className="mt-1 text-xs text-ink-3">{lockedHint}</p>

  return (
    <Panel
      title="Version and updates"
      action={
        <Button
          disabled={isDocker || version?.isSourceBuild === true || check.isPending}
          onClick={() => check.mutate(values.updateChannel)}
        >
          {check.isPending ? 'Checking...' : 'Check for Updates'}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        {version && <Build version={version} />}
        {isDocker && (
          <Notice title="Updates come with a new image">
            In Docker neither the channel nor automatic updates can be chosen here: pull the image you want
            and start the container again.
          </Notice>
        )}
        {!isDocker && version?.isSourceBuild && (
          <Notice title="Built from source">
            Such a build is not updated from here: fetch the new source and build it again.
          </Notice>
        )}
        {check.data?.warning && (
          <Notice tone="yellow" announce>
            {check.data.warning}
          </Notice>
        )}
        {found && <UpdateOffer info={found} />}
        <div className="grid items-start gap-x-6 gap-y-4 md:grid-cols-2">
          <div>
            <Select
              label="Update channel"
              value={values.updateChannel}
              options={channels}
              onChange={(updateChannel) => change({ updateChannel })}
              disabled={isFixed('updateChannel')}
            />
            {note('updateChannel')}
          </div>
          <div>
            <Select
              label="Check interval"
              value={String(values.autoUpdateCheckInterval)}
              options={checkOptions(values.autoUpdateCheckInterval)}
              onChange={(hours) => change({ autoUpdateCheckInterval: Number(hours) })}
              disabled={isFixed('autoUpdateCheckInterval')}
            />
            {note('autoUpdateCheckInterval')}
          </div>
          <Switch
            label="Automatic updates"
            hint={isLocked('autoUpdateEnabled') ? lockedHint : 'A new release is installed without asking.'}
            checked={values.autoUpdateEnabled}
            onChange={(autoUpdateEnabled) => change({ autoUpdateEnabled })}
            disabled={isFixed('autoUpdateEnabled')}
          />
          <TextField
            label="Daily check time"
            type="time"
            value={values.autoUpdateTime}
            // an empty value is not a time
            onChange={(autoUpdateTime) => autoUpdateTime && change({ autoUpdateTime })}
            {...form.notes('autoUpdateTime', 'When a release is installed, in the time zone of the server.')}
            disabled={isFixed('autoUpdateTime')}
          />
        </div>
      </div>
    </Panel>
  )
}

/** Logs a failure without showing it. */
function useBuild(): VersionInfo | undefined {
  const { data, error } = useAnswer(getVersion)
  useEffect(() => {
    if (error) log.warn('The version could not be loaded', error)
  }, [error])
  return data
}

function Build({ version: { version, channel, deploymentType } }: { version: VersionInfo }) {
  const facts = [
    ['Version', version],
    ['Channel', channel === 'rc' ? 'Release candidate' : 'Stable'],
    ['Installation', installationTexts[deploymentType]],
  ] as const
  return (
    <div className="text-table">
      <FactsLine facts={facts} />
    </div>
  )
}

/** The available update, with its plan and a button to apply it. */
function UpdateOffer({ info }: { info: UpdateInfo }) {
  const plan = usePlan(info)
  return (
    <section aria-label="Available update" className="rounded-md border border-line text-table">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-3 py-2">
        <p role="status" className="min-w-0 flex-1 basis-48 font-medium">
          Version <span className="tabular-nums">{info.latestVersion}</span> is available{' '}
          {info.isPrerelease && <Badge tone="orange">Release candidate</Badge>}
        </p>
        {plan?.canAutoUpdate && (
          <Button variant="primary" onClick={() => confirmUpdate({ info, plan })}>
            Apply Update
          </Button>
        )}
      </header>
      <div className="p-3">
        <PlanDetails info={info} plan={plan} />
      </div>
    </section>
  )
}

/** Checks now, ignoring the cache. The result for an unsaved channel is not cached. */
function useForcedCheck() {
  const api = useApi()
  const { edits } = useSystemEdits()
  return useChange({
    mutationFn: (channel: SystemSettings['updateChannel']) =>
      api.call(getUpdateCheck, { query: { channel, force: 'true' } }),
    onSuccess: (info) => {
      if (edits.updateChannel === undefined) storeCheck(info, Date.now())
      if (!info.available && info.warning === undefined) toast.success('You are running the latest version.')
    },
    onError: () => toast.error('Failed to check for updates'),
  })
}
