import { type DockerAgentCheck, postPrepareDockerToken } from '@pulse/contract'
import { useId } from 'react'
import { failureOf } from '../../../api/reason.ts'
import { revealToken } from '../../../parts/token-reveal/revealed-token.ts'
import { Button } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Notice } from '../../../ui/notice.tsx'
import { StatusDot } from '../../../ui/status-dot.tsx'
import { CommandField } from '../command-field.tsx'
import { useTokenChange } from '../use-access-change.ts'
import { When } from '../when.tsx'
import { Facts } from './facts.tsx'
import { TextList } from './findings-panel.tsx'
import { statusText } from './system-texts.ts'

type Host = NonNullable<DockerAgentCheck['attention']>[number]

/** A Docker host and its issues. A new token fixes most of them. */
export function AgentCard({ host }: { host: Host }) {
  const { hostId, name, status, agentVersion, tokenHint, lastSeen, issues } = host
  const titleId = useId()
  const online = status === 'online'
  const prepare = usePrepareToken()
  const failure = failureOf('Failed to prepare Docker token', prepare.error)
  return (
    <article
      aria-labelledby={titleId}
      className="flex flex-col gap-3 border-t border-line px-4 py-3 first:border-t-0"
    >
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <h3 className="flex min-w-0 flex-1 basis-64 flex-wrap items-center gap-x-2 text-sm font-semibold">
          <StatusDot tone={online ? 'green' : 'red'} ring={!online} label="" />
          <span id={titleId} className="min-w-0 break-all">
            {name}
          </span>
          <span className={cx('text-xs font-medium', online ? 'text-green' : 'text-red')}>
            {statusText(status)}
          </span>
        </h3>
        <Button
          aria-label={prepare.isPending ? undefined : `Prepare token for ${name}`}
          disabled={prepare.isPending}
          onClick={() => prepare.mutate(hostId)}
        >
          {prepare.isPending ? 'Preparing token...' : 'Prepare token'}
        </Button>
      </div>
      {issues.length > 0 && <TextList label={`Issues of ${name}`} texts={issues} />}
      <Facts
        facts={[
          ...(agentVersion ? [{ label: 'Agent', value: agentVersion }] : []),
          ...(tokenHint ? [{ label: 'Token', value: tokenHint }] : []),
          { label: 'Last seen', value: <When time={lastSeen} inline="ago" /> },
        ]}
      />
      {failure && (
        <Notice tone="red" title={failure.title} announce>
          {failure.reason}
        </Notice>
      )}
      {prepare.data && (
        <>
          <CommandField label="Install command" command={prepare.data.installCommand} />
          <CommandField label="Service snippet" command={prepare.data.systemdServiceSnippet} lines />
        </>
      )}
    </article>
  )
}

const usePrepareToken = () =>
  useTokenChange(
    async (api, hostId: string) => {
      const prepared = await api.call(postPrepareDockerToken, { body: { hostId } })
      // a token without an id could not be revoked either
      if (!prepared?.token || !prepared.record?.id) {
        throw new Error('Server did not return a valid token record')
      }
      return prepared
    },
    ({ token, record, host }) =>
      revealToken({
        token,
        record,
        source: 'Settings → Diagnostics',
        note: `For the agent on ${host.name}. Copy it while it is still visible.`,
      }),
  )
