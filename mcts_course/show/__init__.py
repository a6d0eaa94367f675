"""The parts that lessons show: figures, tables, boards, sentences, pages of paper."""
