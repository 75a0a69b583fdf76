import { deleteNode, getNodes, postNode, postNodeTest, postTestConnection, putNode } from '@pulse/contract'
import { AppError } from '../app-error.ts'
import type { Audit } from '../auth/audit.ts'
import type { ConnectionArea } from './connections.ts'
import { principalOf, route } from '../http/route.ts'

export const connectionRoutes = (connections: ConnectionArea, audit: Pick<Audit, 'record'>) => [
  route(getNodes, () => connections.list()),
  route(postNode, async ({ body, note }) => {
    const id = await connections.add(body)
    note({ target: connections.nameOf(id) })
    return { status: 'success' as const, id }
  }),
  route(putNode, async ({ params, body, note, caller, identity }) => {
    const moved = await connections.change(params.id, body).catch(async (error: unknown) => {
      if (error instanceof AppError && error.code === 'secret_required') {
        const refused = {
          event: 'node_changed',
          success: false,
          by: principalOf({ identity }),
          caller,
        } as const
        await audit.record({ ...refused, target: connections.nameOf(params.id), details: error.message })
      }
      throw error
    })
    note({ target: connections.nameOf(params.id), ...(moved && { details: moved }) })
    return { status: 'success' as const, id: params.id }
  }),
  route(deleteNode, async ({ params, note }) => {
    note({ target: connections.nameOf(params.id) })
    await connections.remove(params.id)
    return { status: 'success' as const }
  }),
  route(postTestConnection, ({ body, note }) => {
    if (body.host !== undefined) note({ target: body.host })
    return connections.test(body)
  }),
  route(postNodeTest, ({ params, note }) => {
    note({ target: connections.nameOf(params.id) })
    return connections.testStored(params.id)
  }),
]
