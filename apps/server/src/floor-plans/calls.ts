import { floorPlanImage, removeFloorPlanImage, setFloorPlanImage } from '@portcullis/contract/calls/floor-plans'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { sendPicture } from '../pictures/send-picture.ts'
import { readImage, writeImage } from './floor-plan-image.ts'

type FloorPlanCallOptions = Pick<ServeCall, 'serveCall'> & { database: Database }

export function registerFloorPlanCalls(app: FastifyInstance, { database, serveCall }: FloorPlanCallOptions) {
  serveCall(app, floorPlanImage, async ({ request, reply, access, path }) =>
    sendPicture({ request, reply }, await readImage(database, { access, ...path })),
  )

  void app.register(async (inner) => {
    inner.addContentTypeParser(
      [...setFloorPlanImage.upload],
      { parseAs: 'buffer', bodyLimit: setFloorPlanImage.bodyLimit },
      async (_request: unknown, body: Buffer) => body,
    )
    serveCall(inner, setFloorPlanImage, async ({ request, access, path }) => ({
      entry: await writeImage(database, { access, ...path, upload: request.body }),
    }))
    serveCall(inner, removeFloorPlanImage, async ({ access, path }) => ({
      entry: await writeImage(database, { access, ...path, upload: 'none' }),
    }))
  })
}
