import { listName } from '../calls/saved-views.ts'
import { json, type Operation, pathParameter, ref } from './operation.ts'
import { inlineSchema } from './schemas.ts'

const view = { tag: 'savedViews', asks: 'account' } as const
const id = pathParameter('id', 'The _id of the view.')

/** Lists as people keep them: their own, and those that are shared in the account. */
export const savedViewOperations: readonly Operation[] = [
  {
    ...view,
    method: 'get',
    path: '/api/savedViews',
    id: 'list-saved-views',
    summary: 'The saved views of a list, and the columns that the reader last chose',
    description: 'Needs the right to view what the list shows.',
    isGuarded: false,
    parameters: [{ name: 'list', in: 'query', required: true, schema: inlineSchema(listName), example: 'users' }],
    answer: {
      status: 200,
      description: 'Views by name; columns are null where nothing is remembered.',
      content: json(ref('SavedViews')),
    },
    errors: ['bad_request'],
  },
  {
    ...view,
    method: 'post',
    path: '/api/savedViews',
    id: 'create-saved-view',
    summary: 'Keep a list under a name',
    description: 'Sharing it needs the right to manage what the list shows.',
    isGuarded: true,
    body: ref('SavedViewCreate'),
    answer: { status: 201, description: 'The view.', content: json(ref('SavedView')) },
    errors: ['taken', 'refused'],
  },
  {
    ...view,
    method: 'patch',
    path: '/api/savedViews/{id}',
    id: 'patch-saved-view',
    summary: 'Change a view of one’s own',
    isGuarded: true,
    parameters: [id],
    body: ref('SavedViewPatch'),
    answer: { status: 200, description: 'The view.', content: json(ref('SavedView')) },
    errors: ['not_found', 'conflict', 'taken'],
  },
  {
    ...view,
    method: 'delete',
    path: '/api/savedViews/{id}',
    id: 'delete-saved-view',
    summary: 'Delete a view of one’s own, or a shared one',
    description: 'Somebody else’s needs the right to manage what the list shows.',
    isGuarded: true,
    parameters: [id],
    answer: { status: 204, description: 'It is gone.' },
    errors: ['not_found'],
  },
  {
    ...view,
    method: 'put',
    path: '/api/savedViews/columns',
    id: 'remember-columns',
    summary: 'Remember the columns of a list for the person who asks',
    isGuarded: true,
    body: ref('RememberColumns'),
    answer: { status: 204, description: 'They are remembered.' },
  },
]
