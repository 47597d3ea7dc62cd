-- The language of the console and of emails that a user has chosen; null: that of their browser, and English for emails.
alter table person add column person_language text check (person_language in ('en', 'es'));
