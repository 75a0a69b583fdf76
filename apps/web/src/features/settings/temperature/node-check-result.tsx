import type { RegisterNodesReply } from '@pulse/contract'
import { CircleCheck, CircleX } from 'lucide-react'
import { cx } from '../../../ui/cx.ts'
import { Notice } from '../../../ui/notice.tsx'

/** The enabled nodes' answers. */
export function NodeCheckResult({ reply: { success, message, nodes } }: { reply: RegisterNodesReply }) {
  return (
    <div className="border-b border-line p-4">
      <Notice tone={success ? 'green' : 'yellow'} title={message} announce>
        {nodes.length > 0 && (
          <ul aria-label="Proxy nodes" className="mt-1.5 flex flex-col gap-1">
            {nodes.map((node, index) => (
              // two connections may have nodes with the same name
              <CheckedNode key={index} node={node} />
            ))}
          </ul>
        )}
      </Notice>
    </div>
  )
}

function CheckedNode({
  node: { name, ssh_ready: ready, error },
}: {
  node: RegisterNodesReply['nodes'][number]
}) {
  const Icon = ready ? CircleCheck : CircleX
  return (
    <li className="flex flex-wrap items-center gap-x-2">
      <span className="font-medium break-all text-ink">{name}</span>
      <span className={cx('inline-flex items-center gap-1 font-medium', ready ? 'text-green' : 'text-red')}>
        <Icon aria-hidden size={13} />
        {ready ? 'Reachable' : 'Unreachable'}
      </span>
      {error !== undefined && <span className="break-words">{withoutName(error, name)}</span>}
    </li>
  )
}

const withoutName = (error: string, name: string) =>
  error.startsWith(`${name}: `) ? error.slice(name.length + 2) : error
