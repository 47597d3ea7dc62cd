/** Errors of a body field, a query parameter or a header. */
export const fieldCodes = [
  // From any schema.
  'required',
  'invalid',
  'wrong_type',
  'not_whole_number',
  'too_short',
  'too_long',
  'too_few',
  'too_many_entries',
  'below_minimum',
  'above_maximum',
  'not_one_of',
  'invalid_email',
  'invalid_id',
  'invalid_date',
  'invalid_moment',
  'unknown_field',
  'not_changeable',
  'unstorable',
  // From the schemas of this product.
  'control_characters',
  'invalid_ref',
  'reserved_ref',
  'unknown_time_zone',
  'year_out_of_range',
  'second_too_fine',
  'invalid_serial',
  'invalid_phone',
  'invalid_credential_number',
  'invalid_key',
  'choices_mismatch',
  'listed_twice',
  'invalid_time_of_day',
  'ends_before_start',
  'yearly_too_long',
  'invalid_one_time_code',
  'invalid_list_name',
  'not_one_word',
  'one_presented',
  'invalid_site_moment',
  // From the server.
  'unreadable',
  'too_far_away',
  'no_such_site_time',
  'moment_passed',
  'hold_too_long',
  'no_email_to_sign_in',
  'new_number_needed',
  'not_a_picture',
  'not_in_sight',
  'gone_or_elsewhere',
  'no_longer_there',
  'gone',
  'unknown_list',
  'unsupported_sign_in',
  'invalid_room_name',
  'room_without_ref',
  // From queries and headers.
  'not_json',
  'nested_too_deep',
  'repeated_name',
  'unsupported_media_type',
  'not_sortable',
  'unknown_column',
  'not_filterable',
  'filter_not_object',
  'filter_too_deep',
  'filter_too_long',
  'filter_needs_list',
  'no_comparison',
  'unknown_operator',
  'exists_needs_boolean',
  'not_searchable',
  'like_needs_text',
  'in_needs_list',
  'too_many_values',
  'wrong_operand',
  'too_many_rows',
  'not_countable',
  'no_buckets',
  'wrong_order',
  'unknown_cursor',
  'version_missing',
  'version_differs',
  'repeated_header',
  'not_a_ref',
  'headers_disagree',
  'not_true_or_false',
] as const

export type FieldCode = (typeof fieldCodes)[number]

const codes: ReadonlySet<string> = new Set(fieldCodes)

export function isFieldCode(code: string): code is FieldCode {
  return codes.has(code)
}

/** The error code of a schema; `fieldProblem` reads it from the issue. */
export function fieldCode(code: FieldCode): FieldCode {
  return code
}
