import pg from 'pg'

const monthly = ['event', 'history', 'link_history'] as const

/**
 * Adds the partitions of these months, as the role that owns the tables. A month whose rows already lie in the default
 * partition stays there: nothing is lost, only pruned later by rows instead of by partition.
 */
export async function addMonthlyPartitions({
  databaseUrl,
  from,
  until,
}: {
  databaseUrl: string
  from: Date
  until: Date
}) {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    for (const month of monthsBetween(from, until)) {
      for (const table of monthly) await addMonth({ client, table, month })
    }
  } finally {
    await client.end()
  }
}

async function addMonth({ client, table, month }: { client: pg.Client; table: string; month: Date }) {
  const next = monthAfter(month)
  const name = `${table}_${month.toISOString().slice(0, 7).replace('-', '_')}`
  const bounds = `from ('${month.toISOString()}') to ('${next.toISOString()}')`
  await client
    .query(`create table if not exists ${name} partition of ${table} for values ${bounds}`)
    .catch((error: unknown) => {
      if (!isTakenByDefault(error)) throw error
    })
}

function isTakenByDefault(error: unknown) {
  return error instanceof pg.DatabaseError && error.code === '23514'
}

function monthsBetween(from: Date, until: Date) {
  const months: Date[] = []
  let month = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), 1))
  while (month <= until) {
    months.push(month)
    month = monthAfter(month)
  }
  return months
}

function monthAfter(month: Date) {
  return new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1))
}
