import { getTokens } from '@pulse/contract'
import { agentUninstallCommand } from '@pulse/domain'
import { useState } from 'react'
import { isRefused } from '../../../api/reason.ts'
import { useAnswer } from '../../../api/use-answer.ts'
import { LoadFailed, Panel } from '../../../ui/panel.tsx'
import { SegmentedToggle } from '../../../ui/segmented-toggle.tsx'
import { CreationRefused, listRefusal } from '../token-refusals.tsx'
import { CommandField } from '../command-field.tsx'
import { ExistingToken } from './existing-token.tsx'
import type { Host } from './hosts.ts'
import { NewToken } from './new-token.tsx'
import { useDockerSetup } from './use-docker-setup.ts'
import { Disclosure } from '../../../ui/disclosure.tsx'

type TokenMode = 'generate' | 'existing'

const modes = [
  { value: 'generate', label: 'New token' },
  { value: 'existing', label: 'Existing token' },
] as const

/** How to add a host: create a token, then run a command that contains it. */
export function InstallPanel({ hosts }: { hosts: readonly Host[] }) {
  const [mode, setMode] = useState<TokenMode>('generate')
  const tokens = useAnswer(getTokens)
  const { pulseUrl } = useDockerSetup()
  return (
    <Panel
      title="Add a Docker host"
      description="Choose an API token, then run one command on the host: it installs an agent that reports to Pulse."
      flush
      form
    >
      {isRefused(tokens.error) ? (
        <>
          <LoadFailed title={listRefusal} onRetry={() => void tokens.refetch()} />
          <div className="px-4 pb-4">
            <CreationRefused />
          </div>
        </>
      ) : (
        <>
          <div className="px-4 pt-4">
            <SegmentedToggle label="API token" value={mode} options={modes} onChange={setMode} />
          </div>
          {mode === 'existing' ? (
            <ExistingToken query={tokens} hosts={hosts} />
          ) : (
            <NewToken
              tokenCount={tokens.data?.tokens.length ?? (tokens.error ? 0 : undefined)}
              hosts={hosts}
            />
          )}
        </>
      )}
      {pulseUrl !== undefined && (
        <Disclosure summary="Uninstall the agent" className="border-t border-line px-4 py-3" keepMounted>
          <div className="mt-2 flex flex-col gap-2">
            <CommandField label="Uninstall command" command={agentUninstallCommand(pulseUrl)} />
            <p className="text-xs text-ink-2">
              Run it as root on the host, then remove the host below as soon as it is offline.
            </p>
          </div>
        </Disclosure>
      )}
    </Panel>
  )
}
