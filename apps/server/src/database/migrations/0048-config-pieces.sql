-- minimum version: 48

-- The texts of the pieces of configurations: versions of a unit share those that are equal.
create table unit_config_piece (
  unit_config_piece_unit uuid not null references unit (unit_id) on delete cascade,
  -- See compile-config.ts.
  unit_config_piece_digest text not null,
  unit_config_piece_text text not null,
  primary key (unit_config_piece_unit, unit_config_piece_digest)
);

grant select, insert, update, delete on unit_config_piece to portcullis_system;

alter table unit_config
  -- Only of versions that earlier releases stored: their pieces are not in the table above.
  alter column unit_config_body drop not null,
  -- Of the text of the others.
  add column unit_config_bytes int;

-- The text of each configuration; null if a piece is missing. The fields of the head are not in a section of their own.
create view unit_config_whole with (security_invoker = true) as
select unit_config_unit, unit_config_version,
       coalesce(unit_config_bytes, octet_length(unit_config_body)) as unit_config_bytes,
       coalesce(convert_from(unit_config_body, 'utf8'), (
  select '{' || string_agg(case section when 'head' then entries else '"' || section || '":{' || entries || '}' end,
                           ',' order by place) || '}'
    from (select section, min(place) as place, count(*) as found, string_agg(unit_config_piece_text, ',' order by place) as entries
            from jsonb_array_elements(unit_config_pieces) with ordinality as listed (piece, place)
            join unit_config_piece on unit_config_piece_unit = unit_config_unit
             and unit_config_piece_digest = piece ->> 'digest',
                 lateral (select piece ->> 'section' as section) as named
           group by section) as sections
  having sum(found) = jsonb_array_length(unit_config_pieces))) as unit_config_text
  from unit_config;

grant select on unit_config_whole to portcullis_system;
